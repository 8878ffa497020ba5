import type { Word } from '../../slack/routing/command-words.ts'

export interface ListWords {
  /** Everything that is no `page:N`, as one text. */
  readonly name: string
  /** Counts from 1. */
  readonly page: number
  readonly problems: readonly string[]
}

/** Reads `[NAME] [page:N]`, in any order; a name of several words needs no quotes, being all that there is. */
export function readListWords(words: readonly Word[]): ListWords {
  const pages = words.filter(({ key }) => key === 'page')
  const rest = words.filter(({ key }) => key !== 'page')
  const problems = [
    ...pages
      .filter(({ value }) => !/^[1-9]\d{0,5}$/.test(value))
      .map(({ written }) => `"${written}" is not understood: pages count from 1`),
    ...(pages.length > 1 ? ['there is more than one page:N'] : []),
    ...rest.filter(({ key }) => key !== undefined).map(({ written }) => `"${written}" is not understood`),
  ]
  const name = rest.map(({ value }) => value).join(' ')
  return { name, page: Number(pages[0]?.value ?? 1), problems }
}
