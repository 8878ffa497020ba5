import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PageState } from '../api-types.ts'

/** Place of the app's Home tab. */
export const HOME = 'home'
/** Place of the app's direct messages. */
export const DIRECT = 'direct'
/** Place of Slackbot's pane. */
export const SLACKBOT = 'slackbot'

/** State of the page: the person's view and place. */
interface PageValue {
  readonly state: PageState
  /** A channel's id, `home`, `direct` or `slackbot`. */
  readonly place: string
  readonly become: (user: string) => void
  readonly goTo: (place: string) => void
}

export const PageContext = createContext<PageValue | undefined>(undefined)

export function usePage(): PageValue {
  const page = useContext(PageContext)
  if (!page) throw new Error('usePage needs a PageContext')
  return page
}
