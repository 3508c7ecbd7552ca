// Runs before the first paint, or a page in the other theme would flash: the theme that was chosen.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden here: the browser's theme counts.
}
