/** The address of each flag's SVG by lower-case country code. */

const files = import.meta.glob<string>(
  "../../../node_modules/flag-icons/flags/4x3/[a-z][a-z].svg",
  {
    query: "?url",
    import: "default",
    eager: true,
  },
);

export const flagImages: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(files).map(([path, address]) => [path.slice(-6, -4), address]),
);
