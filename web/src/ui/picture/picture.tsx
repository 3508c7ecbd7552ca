/** An image of the event's branding, with its space reserved before it loads. */

export interface PictureProps {
  picture: { src: string; width?: number | null; height?: number | null };
  alt: string;
  className?: string | undefined;
}

export function Picture({ picture, alt, className }: PictureProps) {
  const { src, width, height } = picture;
  const size = { width: width ?? undefined, height: height ?? undefined };
  return <img src={src} alt={alt} className={className} {...size} />;
}
