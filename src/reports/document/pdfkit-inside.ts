/**
 * All that is reached for inside pdfkit, whose API has no place for it. pdfkit is pinned to one version, and
 * pdfkit-inside.test.ts says by name which part an upgrade has changed; so it does when the id that pdfkit gives a file
 * comes of anything but the file's facts, for equal data make equal bytes.
 *
 * | reached for | because its API cannot | what would replace it |
 * | --- | --- | --- |
 * | `_font`, and fontkit's font in it | tell which characters a font has | a question of the document's |
 * | operators written by `addContent` | mark a header or footer as one | `subtype` among the options of `markContent` |
 * | `openImage`, which its types do not have | put one picture onto many pages and into the file once | the types |
 * | a font without a name | open a document without Helvetica, which it does not embed | an option for it |
 */

/** For the option `font`: the document starts with none. */
export const noFont = "";

/** Which characters the font in use has. */
export function glyphsOf(document: PDFKit.PDFDocument): (codePoint: number) => boolean {
  const { font } = (document as unknown as { _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } } })
    ._font;
  return (codePoint) => font.hasGlyphForCodePoint(codePoint);
}

/** What `draw` puts on the page becomes an artifact with the subtype that ISO 14289-1, 7.8 asks for. */
export function markPagination(document: PDFKit.PDFDocument, subtype: "Header" | "Footer", draw: () => void): void {
  document.addContent(`/Artifact <</Type /Pagination /Subtype /${subtype}>> BDC`);
  draw();
  document.addContent("EMC");
}

/** A picture that can be drawn on many pages. @param bytes of a PNG or JPEG */
export function openPicture(document: PDFKit.PDFDocument, bytes: Buffer): PDFKit.Mixins.ImageSrc {
  return (document as unknown as { openImage(bytes: Buffer): PDFKit.Mixins.ImageSrc }).openImage(bytes);
}
