/** A QR code, always dark on white: not every scanner reads inverted codes. */
import { memo } from "react";
import { encode } from "uqr";

/** Width of the quiet zone that the QR standard requires, in modules. */
const EDGE = 4;

interface QrCodeProps {
  text: string;
  label: string;
  className?: string | undefined;
}

export const QrCode = memo(function QrCode({ text, label, className }: QrCodeProps) {
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
      className={className}
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={squares.join("")} fill="#000" />
    </svg>
  );
});
