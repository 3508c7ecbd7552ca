/** The event's own pages and links, in the footer. */
import { ownPageAddress } from "../../addresses";
import { useSite } from "../../api/site";
import { useMessages } from "../../messages/language";
import styles from "./shell.module.css";

export function FooterLinks() {
  const { brand } = useMessages();
  const { pages = [], links = [] } = useSite() ?? {};
  const own = pages.filter(({ place }) => place === "footer");
  if (own.length + links.length === 0) return null;
  return (
    <nav aria-label={brand.more} className={styles.links}>
      <ul className="plain-list">
        {own.map(({ slug, title }) => (
          <li key={slug}>
            <a href={ownPageAddress(slug)}>{title}</a>
          </li>
        ))}
        {links.map(({ name, link }) => (
          <li key={link}>
            <a href={link} rel="noopener noreferrer" target="_blank">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
