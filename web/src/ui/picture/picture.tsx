/** A picture of the event's brand, whose place is there before its bytes. */

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
