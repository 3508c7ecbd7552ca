/** Modules with the widget's texts, which register on load; the package types only some. */
declare module "altcha/i18n/*";
