import type { ScanProgress } from '../../telephony/types.ts'
import { numberText } from '../../util/text.ts'

/** The failure, and how far the reading had come. */
export function withProgress<F extends { readonly text: string }>(
  failure: F,
  { records, total }: ScanProgress,
): F {
  const of = total === undefined ? '' : ` of ${numberText(total)}`
  const text = `${failure.text} I had read ${numberText(records)}${of} calls by then.`
  return records === 0 ? failure : { ...failure, text }
}
