import type { ScanProgress } from '../../telephony/types.ts'

/** The failure, and how far the reading had come. */
export function withProgress<F extends { readonly text: string }>(
  failure: F,
  { records, total }: ScanProgress,
): F {
  const of = total === undefined ? '' : ` of ${total.toLocaleString('en')}`
  const text = `${failure.text} I had read ${records.toLocaleString('en')}${of} calls by then.`
  return records === 0 ? failure : { ...failure, text }
}
