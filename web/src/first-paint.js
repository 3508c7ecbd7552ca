// Applies the chosen theme before the first paint, so that the other theme does not flash.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is unavailable: use the browser's theme.
}
