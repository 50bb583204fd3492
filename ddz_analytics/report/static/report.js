"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const words = JSON.parse(document.getElementById("words").textContent);
  const waiting = new Set();
  const drawn = new Set();

  // A figure names the page's colours, which depend on the appearance at the time of drawing, and has a text for each language
  // where the two differ.
  const coloured = (value, styles) => {
    if (typeof value === "string") {
      const name = /^var\((--[a-z0-9-]+)\)$/.exec(value);
      return name ? styles.getPropertyValue(name[1]).trim() : value;
    }
    if (Array.isArray(value)) return value.map((item) => coloured(item, styles));
    if (value === null || typeof value !== "object") return value;
    const keys = Object.keys(value);
    if (keys.length === 2 && "en" in value && "zh" in value) return coloured(value[root.lang], styles);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, coloured(item, styles)]));
  };

  const PAPER = 960;
  // What all figures have in common stands once.
  const figureOf = (chart) => {
    const { data, layout } = figures.charts[chart.dataset.figure];
    const axes = Object.keys(layout).filter((key) => /^[xy]axis/.test(key));
    const whole = { ...figures.layout, ...layout };
    for (const axis of axes) whole[axis] = { ...figures[axis.slice(0, 5)], ...layout[axis] };
    return coloured({ data, layout: whole }, getComputedStyle(root));
  };
  const draw = (chart, width) => {
    const figure = figureOf(chart);
    if (width) figure.layout.width = width;
    Plotly.react(chart, figure.data, figure.layout, { displayModeBar: false, responsive: true });
    drawn.add(chart);
  };
  const redraw = () => drawn.forEach((chart) => draw(chart));
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting || !waiting.delete(entry.target)) continue;
      seen.unobserve(entry.target);
      draw(entry.target);
    }
  }, { rootMargin: "200px" });
  all(".chart").forEach((chart) => { waiting.add(chart); seen.observe(chart); });

  const press = (kind, value) =>
    all(`button[data-${kind}]`).forEach((button) => button.setAttribute("aria-pressed", String(button.dataset[kind] === value)));
  const setLanguage = (lang) => {
    root.lang = lang;
    document.title = document.querySelector(`h1 [lang="${lang}"]`).textContent;
    press("lang", lang);
    redraw();
  };
  const setTheme = (theme) => {
    if (theme === "auto") delete root.dataset.theme; else root.dataset.theme = theme;
    press("theme", theme);
    redraw();
  };
  const choose = (other) => {
    all("[data-of]").forEach((part) => { part.hidden = part.dataset.of !== other; });
    all("input[name=other]").forEach((input) => { input.checked = input.value === other; });
    all("tr[data-row]").forEach((row) => row.classList.toggle("chosen", row.dataset.row === other));
    window.dispatchEvent(new Event("resize"));
  };

  all("button[data-lang]").forEach((button) => button.addEventListener("click", () => setLanguage(button.dataset.lang)));
  all("button[data-theme]").forEach((button) => button.addEventListener("click", () => setTheme(button.dataset.theme)));
  all("input[name=other]").forEach((input) => input.addEventListener("change", () => choose(input.value)));
  all("button[data-show]").forEach((button) => button.addEventListener("click", () => {
    choose(button.dataset.show);
    document.getElementById("top").scrollIntoView();
  }));
  // A chart with its title as a picture: what plotly needs for it, and what to do with it.
  const picture = (name) => {
    const chart = all(`.chart[data-figure="${CSS.escape(name)}"]`)[0];
    const { width, height } = chart.getBoundingClientRect();
    const { data, layout } = figureOf(chart);
    // plotly reads some HTML in a title, so what could begin any is escaped
    const title = document.getElementById(chart.getAttribute("aria-labelledby")).innerText;
    const text = title.trim().replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
    layout.title = { text, x: 0.01, xanchor: "left", y: 0.98, yanchor: "top", font: { size: 14, color: layout.hoverlabel.font.color } };
    const legend = layout.legend && layout.showlegend ? 30 : 0;
    layout.margin = { ...layout.margin, t: 56 + legend };
    layout.paper_bgcolor = layout.hoverlabel.bgcolor;
    return [{ data, layout }, { format: "png", scale: 2, width, height: height + 44 + legend }];
  };
  const asBlob = (url) => {
    const bytes = Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (letter) => letter.charCodeAt(0));
    return new Blob([bytes], { type: "image/png" });
  };
  all("button[data-picture]").forEach((button) => button.addEventListener("click", () => {
    const [figure, options] = picture(button.dataset.picture);
    Plotly.downloadImage(figure, { ...options, filename: button.dataset.picture });
  }));
  all("button[data-copy]").forEach((button) => button.addEventListener("click", async () => {
    const said = button.parentElement.querySelector("[role=status]");
    try {
      const drawing = Plotly.toImage(...picture(button.dataset.copy)).then(asBlob);
      await navigator.clipboard.write([new ClipboardItem({ "image/png": drawing })]);
      said.textContent = words[root.lang].copied;
    } catch {
      said.textContent = words[root.lang].not_copied;
    }
  }));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);

  // A link to something within a part that is not shown shows it.
  const follow = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const part = target.closest("[data-of]");
    if (part) choose(part.dataset.of);
    for (let place = target; place; place = place.parentElement) if (place.tagName === "DETAILS") place.open = true;
    target.scrollIntoView();
  };
  window.addEventListener("hashchange", follow);

  // On paper everything is light, and every chart of what is shown is drawn.
  let opened = [];
  let theme;
  window.addEventListener("beforeprint", () => {
    theme = root.dataset.theme;
    root.dataset.theme = "light";
    all(".chart").filter((chart) => chart.offsetParent && !chart.closest("details:not([open])")).forEach((chart) => { waiting.delete(chart); draw(chart, PAPER); });
    opened = all("details[data-print]:not([open])");
    opened.forEach((part) => { part.open = true; });
  });
  window.addEventListener("afterprint", () => {
    opened.forEach((part) => { part.open = false; });
    setTheme(theme ?? "auto");
    drawn.forEach((chart) => Plotly.Plots.resize(chart));
  });

  press("lang", root.lang);
  press("theme", "auto");
  choose(document.querySelector("input[name=other]").value);
  follow();
})();
