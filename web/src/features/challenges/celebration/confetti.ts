/** One burst of paper on a canvas above the page. The canvas removes itself. */

const PIECES = 60;
/** Colors of pennants. */
const COLORS = ["#cb1633", "#ffcf1a", "#fbfaf5", "#86d3f7"] as const;
const LIFE_MS = 1600;
/** Pixels per second, and pixels per second squared. */
const SPEED_MAX = 620;
const GRAVITY = 900;
/** Share of the speed that is left after a second. */
const DRAG = 0.28;

interface Piece {
  readonly color: string;
  /** Direction and speed at the start. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly spin: number;
}

function pieceOf(index: number): Piece {
  const angle = -Math.PI / 2 + (Math.random() - 0.5) * Math.PI * 1.1;
  const speed = SPEED_MAX * (0.35 + 0.65 * Math.random());
  return {
    color: COLORS[index % COLORS.length] ?? COLORS[0],
    x: Math.cos(angle) * speed,
    y: Math.sin(angle) * speed,
    width: 5 + Math.random() * 5,
    height: 8 + Math.random() * 6,
    spin: (Math.random() - 0.5) * 18,
  };
}

/** Draws a piece `s` seconds after the burst. The air slows it down. */
function draw(context: CanvasRenderingContext2D, piece: Piece, s: number): void {
  const way = (DRAG ** s - 1) / Math.log(DRAG);
  context.save();
  context.translate(piece.x * way, piece.y * way + (GRAVITY * s * s) / 2);
  context.rotate(piece.spin * s);
  context.scale(1, Math.cos(piece.spin * 1.4 * s));
  context.fillStyle = piece.color;
  context.fillRect(-piece.width / 2, -piece.height / 2, piece.width, piece.height);
  context.restore();
}

/** Bursts at a point of the window. */
export function burst(x: number, y: number, className: string): void {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (!context) return;
  canvas.className = className;
  canvas.setAttribute("aria-hidden", "true");
  canvas.width = window.innerWidth * window.devicePixelRatio;
  canvas.height = window.innerHeight * window.devicePixelRatio;
  document.body.append(canvas);
  const pieces = Array.from({ length: PIECES }, (_, index) => pieceOf(index));
  const beginMs = performance.now();
  const step = (nowMs: number) => {
    const ageMs = nowMs - beginMs;
    if (ageMs > LIFE_MS) return canvas.remove();
    const scale = window.devicePixelRatio;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(scale, 0, 0, scale, x * scale, y * scale);
    context.globalAlpha = Math.min(1, ((LIFE_MS - ageMs) / LIFE_MS) * 2);
    for (const piece of pieces) draw(context, piece, ageMs / 1000);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
