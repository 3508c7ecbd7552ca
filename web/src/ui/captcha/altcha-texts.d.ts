/** The widget's texts register themselves when they are loaded; the package types only some. */
declare module "altcha/i18n/*";
