import { useLayoutEffect, useState } from 'preact/hooks'
import type { PageState } from '../api-types.ts'
import { DIRECT } from './sidebar.tsx'

const nameOf = (user: string) => `read-${user}`

/** How many of the app's direct messages this person has not seen: all until they are there, none while they are. */
export function useUnread(messages: PageState['messages'], user: string, place: string): number {
  const [, setSeen] = useState('')
  const direct = messages.filter(({ channel }) => channel === DIRECT)
  const newest = direct.at(-1)?.ts
  useLayoutEffect(() => {
    if (place !== DIRECT || newest === undefined) return
    sessionStorage.setItem(nameOf(user), newest)
    setSeen(newest)
  }, [user, place, newest])
  const read = Number(sessionStorage.getItem(nameOf(user)) ?? 0)
  return place === DIRECT ? 0 : direct.filter(({ ts }) => Number(ts) > read).length
}
