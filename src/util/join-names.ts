/** `A`, `A and B`, `A, B and C`; of more than `most` names, those and `5 more`. */
export function joinNames(
  names: readonly string[],
  { most = names.length, word = 'and' }: { readonly most?: number; readonly word?: 'and' | 'or' } = {},
): string {
  const more = names.length - most
  const all = more > 0 ? [...names.slice(0, most), `${more} more`] : names
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}`
}
