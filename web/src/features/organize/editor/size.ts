/** Formatted file size. */
import { sizeOf } from "../../../domain/bytes";
import { useMessages } from "../../../messages/language";

export function useSizeText(): (bytes: number) => string {
  const { locale } = useMessages();
  return (bytes) => {
    const { value, unit } = sizeOf(bytes);
    const unitDisplay = unit === "byte" ? "long" : "short";
    const style = { style: "unit", unit, unitDisplay, maximumSignificantDigits: 3 } as const;
    return new Intl.NumberFormat(locale, style).format(value);
  };
}
