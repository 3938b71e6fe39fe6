// A menu that is opened by key: its entries stand at the end of the document, so the focus goes to the first of them.
const BUTTON = '[data-testid="stPopoverButton"]', ENTRY = '[data-testid="stPopoverBody"] :is(a[href],button:enabled)';
const FRAMES = 60;

/** @param {Element} button */
function enter(button, frames = FRAMES) {
  if (document.activeElement !== button) return;
  /** @type {HTMLElement | null} */
  const entry = button.ariaExpanded === "true" ? document.querySelector(ENTRY) : null;
  if (entry) entry.focus();
  else if (frames) requestAnimationFrame(() => enter(button, frames - 1));
}

document.addEventListener("click", (e) => {
  const button = e.detail === 0 && e.target instanceof Element ? e.target.closest(BUTTON) : null;   // no mouse, no finger
  if (button) requestAnimationFrame(() => enter(button));
});
