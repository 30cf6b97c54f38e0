import { getDocumentProxy } from 'unpdf';

/** Returns what a PDF says, as one text: its texts, its attachments and its metadata but the dates. */
export async function pdfContents(bytes: Uint8Array): Promise<string> {
  const pdf = await getDocumentProxy(bytes);
  const texts = [];
  for (let number = 1; number <= pdf.numPages; number += 1)
    texts.push((await (await pdf.getPage(number)).getTextContent()).items);
  const attached = [];
  for (const name of ((await pdf.getAttachments()) ?? new Map()).keys())
    attached.push(name, String(Buffer.from((await pdf.getAttachmentContent(name))!)));
  const { info } = await pdf.getMetadata();
  const all = [texts, attached, { ...info, CreationDate: null, ModDate: null }];
  return JSON.stringify(all).replaceAll(/"g_d\d+_/g, '"font ');
}
