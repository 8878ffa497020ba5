import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PageState } from '../api-types.ts'

/** The app's home tab, where a channel's id would stand. */
export const HOME = 'home'
/** What the app tells the person alone. */
export const DIRECT = 'direct'
/** Where one asks Slackbot. */
export const SLACKBOT = 'slackbot'

/** What most parts of the page need: what the person sees, and where they are. */
export interface PageValue {
  readonly state: PageState
  /** A channel's id, `home`, `direct` or `slackbot`. */
  readonly place: string
  readonly become: (user: string) => void
  readonly goTo: (place: string) => void
}

export const PageContext = createContext<PageValue | undefined>(undefined)

export function usePage(): PageValue {
  const page = useContext(PageContext)
  if (!page) throw new Error('there is no page around this')
  return page
}
