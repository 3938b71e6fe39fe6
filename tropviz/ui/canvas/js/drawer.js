// The drawer of a narrow window lies over the page: who has chosen a page in it wants to see that page. Streamlit shuts it
// where the browser calls itself a phone's; a narrow window of another one is as narrow.
const BAR = '[data-testid="stSidebar"]:not([data-collapsed="true"])', NARROW = "(max-width: 640px)";

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element) || !target.closest('[data-testid="stSidebarNavLink"]') || !window.matchMedia(NARROW).matches) return;
  setTimeout(() => /** @type {HTMLElement | null} */ (document.querySelector(`${BAR} [data-testid="stSidebarCollapseButton"] button`))?.click());
});
