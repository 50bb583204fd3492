"use strict";
// Plays hands. All that comes from a log is put into the page as text, never as markup.
(() => {
  const source = document.getElementById("viewer-data");
  const stage = document.getElementById("v-stage");
  if (!source || !stage) return;
  const data = JSON.parse(source.textContent);
  const PACE = 1200;
  const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
  const PLACES = ["self", "down", "up"];
  let made = 0;

  const element = (kind, style, ...inside) => {
    const found = document.createElement(kind);
    if (style) found.className = style;
    found.append(...inside);
    return found;
  };
  // Both languages stand in the page, of which its style shows one; what fills the blanks is text or an element.
  const both = (pair, fill) => (pair[0] === pair[1] ? [pair[0]] : ["en", "zh"].map((lang, place) => {
    const part = element("span", "", pair[place]);
    part.lang = lang;
    return part;
  })).map((part) => (fill ? fill(part) : part));
  const words = (place) => both(data.words[place]);
  const plain = (place) => data.words[place][document.documentElement.lang === "zh" ? 1 : 0];

  const cardsOf = (text) => (!text ? [] : /[SHDC ]/.test(text) ? text.split(" ") : [...text]);
  const rankOf = (card) => card[card.length - 1];
  const without = (held, cards) => {
    const left = [...held];
    for (const card of cards) {
      const place = left.indexOf(card);
      if (place >= 0) left.splice(place, 1);
    }
    return left;
  };
  const ORDER = "3456789TJQKA2BR";
  const together = (held, cards) => [...held, ...cards].sort((one, other) =>
    ORDER.indexOf(rankOf(other)) - ORDER.indexOf(rankOf(one)) || "SHCD".indexOf(one[0]) - "SHCD".indexOf(other[0]));

  // The hand at each frame: what is held, what each seat did last in the trick, who is on autoplay.
  const states = (hand) => {
    const found = [];
    let held = hand.seats.map((seat) => (seat.held === null ? null : cardsOf(seat.held)));
    let table = [null, null, null];
    let auto = [false, false, false];
    let trick = null;
    for (const frame of hand.frames) {
      const cards = cardsOf(frame.c);
      held = [...held]; table = [...table]; auto = [...auto];
      if (frame.b && held[frame.s]) held[frame.s] = together(held[frame.s], cards);
      if (frame.c && !frame.b && !frame.x) {
        if (frame.l) table = [null, null, null];
        table[frame.s] = cards;
        if (held[frame.s]) held[frame.s] = without(held[frame.s], cards);
      }
      if (frame.p) table[frame.s] = "pass";
      for (const [seat, on] of frame.a || []) auto[seat] = on;
      trick = frame.t || trick;
      found.push({ held, table, auto, trick, taken: frame.b || (found.length > 0 && found[found.length - 1].taken) });
    }
    return found;
  };

  class Player {
    constructor(root) {
      this.root = root;
      this.hand = data.hands[Number(root.dataset.hand)];
      this.runs = root.dataset.runs.split(" ").filter(Boolean).map((place) => data.runs[Number(place)]);
      this.states = states(this.hand);
      this.last = this.hand.frames.length - 1;
      this.timer = null;
      this.node = stage.content.firstElementChild.cloneNode(true);
      this.number = made++;
      root.prepend(this.node);
      this.sheet = root.querySelector(".v-sheet");
      this.cells = [...root.querySelectorAll(".v-sheet td.c")];
      this.prepare();
      this.show(0);
    }

    part(name) { return this.node.querySelector(`.v-${name}`); }

    word(name, number) {
    const found = this.part(`w-${name}`).cloneNode(true);
    if (number !== undefined) for (const part of [found, ...found.children].filter((each) => !each.children.length)) part.textContent = part.textContent.replace("{number}", number);
    return [...found.childNodes];
  }

    prepare() {
      const name = this.part("name");
      name.id = `v-name-${this.number}`;
      this.node.setAttribute("aria-labelledby", name.id);
      this.slider = this.node.querySelector("input");
      this.slider.max = this.last;
      this.slider.addEventListener("input", () => { this.pause(); this.show(Number(this.slider.value)); });
      const steps = { first: () => 0, back: () => this.place - 1, forward: () => this.place + 1, last: () => this.last };
      for (const [button, where] of Object.entries(steps)) {
        this.part(button).addEventListener("click", () => { this.pause(); this.show(where()); });
      }
      this.part("go").addEventListener("click", () => this.toggle());
      const alone = "alone" in this.root.dataset;  // a page of its own listens wherever the focus is
      (alone ? document : this.node).addEventListener("keydown", (event) => this.press(event));
      this.cells.forEach((cell, place) => cell.addEventListener("click", () => { this.pause(); this.show(place + 1); }));
      this.seats = this.hand.order.map((seat, place) => {
        const box = this.part(`at-${PLACES[place]}`);
        box.querySelector(".v-role").append(...words(this.hand.seats[seat].role));
        box.querySelector(".v-player").textContent = this.hand.seats[seat].name;
        return { seat, box, hand: box.querySelector(".v-hand"), put: this.part(`of-${PLACES[place]}`) };
      });
      this.part("bottom").hidden = this.hand.bottom === null;
      this.part("runs").append(...this.runs.map((run, place) => element("section", "v-run",
        element("h4", "", element("b", "", "AB"[place]), " ", ...words(run.title), " ", element("code", "", run.id)), element("div", "v-worth"))));
    }

    press(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const onSlider = event.target === this.slider;
      const onButton = event.target.tagName === "BUTTON";
      const steps = { ArrowLeft: this.place - 1, ArrowRight: this.place + 1, Home: 0, End: this.last };
      if (event.key === " " && !onButton) this.toggle();
      else if (event.key in steps && !onSlider) { this.pause(); this.show(steps[event.key]); } else return;
      event.preventDefault();
    }

    toggle() {
      if (this.timer !== null) { this.pause(); return; }
      if (this.place === this.last) this.show(0);
      this.timer = setInterval(() => { this.show(this.place + 1); if (this.place === this.last) this.pause(); }, PACE);
      this.playing(true);
    }

    pause() {
      if (this.timer !== null) clearInterval(this.timer);
      this.timer = null;
      this.playing(false);
    }

    playing(on) {
      this.part("on").hidden = on;
      this.part("off").hidden = !on;
      this.node.classList.toggle("v-playing", on);
    }

    show(wanted) {
      this.place = Math.max(0, Math.min(wanted, this.last));
      const frame = this.hand.frames[this.place];
      const state = this.states[this.place];
      for (const each of this.seats) this.showSeat(each, frame, state);
      this.showBottom(state);
      this.part("trick").replaceChildren(...(state.trick === null ? [] : this.word("trick", state.trick)));
      this.slider.value = this.place;
      this.part("count").textContent = `${this.place} / ${this.last}`;
      this.part("sentence").replaceChildren(...this.sentence(frame));
      this.slider.setAttribute("aria-valuetext", this.part("sentence").innerText || plain(frame.w));
      this.part("remarks").replaceChildren(...(frame.r || []).map(([kind, place]) => element("p", `v-${kind}`, ...words(place))));
      this.runs.forEach((run, place) => this.showRun(run, this.node.querySelectorAll(".v-worth")[place]));
      this.cells.forEach((cell, place) => cell.classList.toggle("v-now", place + 1 === this.place));
      for (const [button, at] of [["first", 0], ["back", 0], ["forward", this.last], ["last", this.last]]) this.part(button).disabled = this.place === at;
    }

    showSeat({ seat, box, hand, put }, frame, state) {
      const held = state.held[seat];
      const acts = frame.s === seat;
      hand.replaceChildren(...(held === null ? [element("span", "v-unknown", ...this.word("cards_unknown"))] : held.map((card) => this.card(card))));
      box.querySelector(".v-left").textContent = held === null ? "" : held.length;
      box.querySelector(".v-auto").hidden = !state.auto[seat];
      box.classList.toggle("v-acts", acts);
      const done = state.table[seat];
      put.classList.toggle("v-new", acts && Boolean(frame.c || frame.p));
      if (done === "pass") put.replaceChildren(element("span", "v-pass", ...this.word("pass")));
      else put.replaceChildren(...(done || []).map((card) => this.card(card)));
    }

    showBottom(state) {
      if (this.hand.bottom === null) return;
      this.part("bottom").classList.toggle("v-taken", Boolean(state.taken));
      this.part("bottom").querySelector(".v-cards").replaceChildren(...cardsOf(this.hand.bottom).map((card) => this.card(card)));
    }

    card(card) {
      const rank = rankOf(card);
      const suit = card.length > 1 ? card[0] : "";
      const joker = rank === "B" ? "small_joker" : rank === "R" ? "big_joker" : "";
      const red = rank === "R" || suit === "H" || suit === "D";
      const style = `v-card${red ? " v-red" : ""}${rank === "T" ? " v-ten" : ""}${joker ? " v-joker" : ""}${rank === this.hand.wild ? " v-wild" : ""}`;
      if (joker) return element("span", style, ...this.word(joker));
      return element("span", style, element("b", "", rank === "T" ? "10" : rank), ...(suit ? [element("i", "", SUITS[suit])] : []));
    }

    sentence(frame) {
      const cards = () => element("span", "v-inline", ...cardsOf(frame.c).map((card) => this.card(card)));
      const said = data.words[frame.w].map((text) => text.split("{cards}"));
      const parts = ["en", "zh"].map((lang, place) => {
        const [before, behind] = said[place];
        const part = element("span", "", before, ...(behind === undefined ? [] : [cards(), behind]));
        part.lang = lang;
        return part;
      });
      if (frame.ms !== undefined) parts.push(element("span", "v-soft", ` ${(frame.ms / 1000).toFixed(1)} s`));
      if (frame.s === undefined) return parts;
      const seat = this.hand.seats[frame.s];
      return [element("b", "", ...words(seat.role), seat.name ? ` ${seat.name}` : ""), " ", ...parts];
    }

    showRun(run, box) {
      const step = run.steps.filter(([place]) => place <= this.place).pop();
      const inside = [];
      if (step && step.length > 1) inside.push(...this.worth(step));
      else if (this.place < this.last) inside.push(element("p", "v-soft", ...(step ? this.word("from_here") : run.steps.length ? this.word("nothing_yet") : words(run.status))));
      if (this.place === this.last) inside.push(...this.nets(run));
      box.replaceChildren(...inside);
    }

    worth([, factors, multiplier, pairs, stakes, addsUp, capped]) {
      const equation = element("p", "v-equation");
      const shown = factors.map(([place, number]) => [words(place), number]);
      if (pairs[0] !== 1 || pairs[1] !== 1) shown.push([this.word("pair"), [...new Set(pairs)].join(" / ")]);
      shown.forEach(([name, number], place) => equation.append(...(place ? [element("span", "v-times", "×")] : []),
        element("span", "v-factor", element("b", "", number), element("small", "", ...name))));
      const split = stakes[0] !== stakes[1];
      equation.append(element("span", "v-times", addsUp ? "=" : "→"), element("span", "v-factor v-stake",
        element("b", "", split ? stakes.join(" / ") : stakes[0]),
        element("small", "", ...this.word("per_peasant"), ...(split ? [" (", ...this.word("down_and_up"), ")"] : []))));
      const line = element("p", "v-multiplier", element("b", "", `×${multiplier}`));
      if (capped) line.append(element("span", "v-cut", ...this.word("cut")));
      return [line, equation];
    }

    nets(run) {
      const status = element("p", "v-soft", ...words(run.status));
      if (run.net === null) return [element("p", "v-multiplier", ...this.word("no_score")), status];
      const list = element("dl", "v-nets");
      ["landlord", "down", "up", "house"].forEach((party, place) => {
        const amount = run.net[place];
        const tone = amount === "0" ? "" : amount.startsWith("-") ? "loss" : "gain";
        const name = place < 3 ? words(this.hand.seats[this.hand.order[place]].role) : this.word(party);
        list.append(element("div", "", element("dt", "", ...name), element("dd", tone, tone === "gain" ? `+${amount}` : amount.replace("-", "−"))));
      });
      return [list, status];
    }
  }

  const make = (root) => { if (!root.dataset.made) { root.dataset.made = "yes"; new Player(root); } };
  for (const root of document.querySelectorAll(".viewer")) {
    const around = root.closest("details");
    if (!around || around.open) make(root);
    else around.addEventListener("toggle", () => { if (around.open) make(root); });
  }
})();
