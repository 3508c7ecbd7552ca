/** News, and the event's own pages and links, in the footer. */
import { ownPageAddress } from "../../addresses";
import { useSite } from "../../api/site";
import { useMessages } from "../../messages/language";
import { iconOf, SocialIcon } from "../../ui/social-icon/social-icon";
import styles from "./shell.module.css";

export function FooterLinks() {
  const { brand, news } = useMessages();
  const { pages = [], links = [] } = useSite() ?? {};
  const own = pages.filter(({ place }) => place === "footer");
  return (
    <nav aria-label={brand.more} className={styles.links}>
      <ul className="plain-list">
        <li>
          <a href="/news">{news.title}</a>
        </li>
        {own.map(({ slug, title }) => (
          <li key={slug}>
            <a href={ownPageAddress(slug)}>{title}</a>
          </li>
        ))}
        {links.map(({ name, link }) => (
          <li key={link}>
            <a href={link} rel="noopener noreferrer" target="_blank">
              {iconOf(link, "") && <SocialIcon address={link} />}
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
