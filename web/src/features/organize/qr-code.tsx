/** A QR code, always dark on white: not every scanner reads it the other way round. */
import { encode } from "uqr";
import styles from "./organize.module.css";

/** The white edge that the standard asks for, in modules. */
const EDGE = 4;

export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { ecc: "M", border: EDGE });
  const squares = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")),
  );
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={styles.qr}
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={squares.join("")} fill="#000" />
    </svg>
  );
}
