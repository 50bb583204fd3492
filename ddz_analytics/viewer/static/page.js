(() => {
  const root = document.documentElement;
  const buttons = [...document.querySelectorAll("button[data-lang]")];
  const speak = (lang) => {
    root.lang = lang;
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.lang === lang)));
  };
  buttons.forEach((button) => button.addEventListener("click", () => speak(button.dataset.lang)));
  speak(root.lang);
  document.querySelector(".switch").hidden = false;
})();
