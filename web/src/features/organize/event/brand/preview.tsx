/** Live preview of the branding: the head and the hero of Home, in both themes. */
import { type CSSProperties, useEffect } from "react";
import { useCtf } from "../../../../api/queries";
import { useOrganizeMessages } from "../../../../messages/organize/words";
import { pictureAddress } from "../../forms/sent-files";
import { rowsOfPart, textOfPart, type Values } from "../../forms/values";
import { Status } from "../../frame/status";
import { FONT } from "./brand-form";
import { type Theme, textOn, verdictOf } from "./contrast";
import styles from "./preview.module.css";

const FACE = "Preview of the heading font";

/** The branding of one theme, with values of the light theme where the dark one has none. */
function lookOf(values: Values, saved: Values, theme: Theme) {
  const text = (name: string) => textOfPart(values[name]).trim();
  const key = (name: string) =>
    theme === "dark" && text(`${name}_dark`) !== "" ? `${name}_dark` : name;
  const picture = (name: string) => pictureAddress(text(name), text(name) === saved[name]);
  const names = (name: string) =>
    rowsOfPart(values[name]).flatMap((row) => (row.name ? [row.name] : []));
  const font = text(FONT);
  return {
    accent: text(key("accent")),
    logo: picture(key("logo")),
    hero: picture("hero"),
    banner: text("banner"),
    // A new font file is not served before it is saved.
    font: font === "mono" || font === saved[FONT] ? font : "",
    below: [...names("sponsors"), ...names("links")],
  };
}

type Look = ReturnType<typeof lookOf>;

function useFace(font: string): string | undefined {
  const address = font === "" || font === "mono" ? null : `/brand/${font}`;
  useEffect(() => {
    if (address === null || typeof FontFace === "undefined") return;
    const face = new FontFace(FACE, `url("${address}")`);
    document.fonts.add(face);
    return () => {
      document.fonts.delete(face);
    };
  }, [address]);
  if (font === "mono") return "var(--font-mono)";
  return address === null ? undefined : `"${FACE}", var(--font)`;
}

function colorsOf(accent: string, theme: Theme): Record<string, string> {
  if (verdictOf(accent, theme) === null) return {};
  return { "--accent": accent, "--accent-fill": accent, "--on-accent": textOn(accent) };
}

function Home({ look, theme }: { look: Look; theme: Theme }) {
  const { brand: words } = useOrganizeMessages().manage;
  const name = useCtf().data?.info.name ?? "";
  const fontFamily = useFace(look.font);
  const style: CSSProperties = { ...colorsOf(look.accent, theme), fontFamily };
  return (
    <div className={`themed ${styles.home}`} data-theme={theme} style={style}>
      <div className={styles.bar}>
        {look.logo === null ? <strong>{name}</strong> : <img src={look.logo} alt="" />}
        <span />
        <span />
        <span />
      </div>
      <div className={styles.hero}>
        {look.hero !== null && <img src={look.hero} alt="" />}
        <p className={styles.title}>{name}</p>
        {look.banner !== "" && <p className={styles.banner}>{look.banner}</p>}
        <span className={styles.button}>{words.example}</span>
      </div>
      {look.below.length > 0 && <p className={styles.below}>{look.below.join(" · ")}</p>}
    </div>
  );
}

/** Contrast of the accent with the theme, in words. */
function Contrast({ accent, theme }: { accent: string; theme: Theme }) {
  const { brand: words } = useOrganizeMessages().manage;
  const found = verdictOf(accent, theme);
  if (!found) return <span className="org-note">{words[theme]}</span>;
  const { ratio, verdict } = found;
  return (
    <Status mark={verdict === "low" ? "bad" : "good"}>
      {words.contrast(words[theme], ratio, words[verdict])}
    </Status>
  );
}

interface PreviewProps {
  values: Values;
  saved: Values;
}

export function BrandPreview({ values, saved }: PreviewProps) {
  const { brand: words } = useOrganizeMessages().manage;
  return (
    <section aria-label={words.preview} className={styles.preview}>
      <p className="org-note">
        <strong>{words.preview}</strong> {words.previewNote}
      </p>
      {(["light", "dark"] as const).map((theme) => {
        const look = lookOf(values, saved, theme);
        return (
          <figure key={theme}>
            <div aria-hidden="true">
              <Home look={look} theme={theme} />
            </div>
            <figcaption>
              <div role="status">
                <Contrast accent={look.accent} theme={theme} />
              </div>
            </figcaption>
          </figure>
        );
      })}
    </section>
  );
}
