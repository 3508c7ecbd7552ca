import { useMemo } from "react";
import { useMessages } from "../../../messages/language";

/** Formats points in the page's language. */
export function useNumber(): (value: number) => string {
  const { locale } = useMessages();
  return useMemo(() => new Intl.NumberFormat(locale).format, [locale]);
}
