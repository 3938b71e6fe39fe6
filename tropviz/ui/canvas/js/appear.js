// A first visit's page appears in one piece, so that nothing moves under the eye: when it is whole, Streamlit has put its
// elements in the place of their grey bars, and the first picture is drawn. `shell.css` hides it until then, and shows it
// by itself where this takes long.
const WAITED = '[data-testid="stSkeleton"], .tv-gd:not([data-drawn], [data-error], [style*="height"])';

export function appear() {
  const root = document.documentElement;
  if (!root || root.classList.contains("tv-whole")) return;
  const first = document.querySelector(".tv-gd"), drawn = !first || first.matches("[data-drawn], [data-error]");
  if (drawn && !document.querySelector(WAITED)) root.classList.add("tv-whole");
  else requestAnimationFrame(appear);
}
