import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PageState, Proposal, TourAction } from '../api-types.ts'
import { getState, onChange, send, startOver } from './api.ts'
import { DIRECT } from './sidebar.tsx'

/** What this person sees, kept up to date; of responses that overtake each other the one to the last request counts. */
export function useStateOf(user: string): PageState | undefined {
  const [state, setState] = useState<PageState>()
  const requests = useRef(0)
  const refresh = useCallback(async () => {
    requests.current += 1
    const mine = requests.current
    const next = await getState(user)
    if (mine === requests.current) setState(next)
  }, [user])
  useEffect(() => {
    // A change that can't be fetched is followed by another, when the stream is back.
    const listener = () => void refresh().catch(() => {})
    listener()
    return onChange(listener)
  }, [refresh])
  return state
}

/** A value that outlives a reload of this tab. */
export function useSessionValue(name: string, initial: string): readonly [string, (value: string) => void] {
  const [value, setValue] = useState(() => sessionStorage.getItem(name) ?? initial)
  const keep = (next: string) => {
    sessionStorage.setItem(name, next)
    setValue(next)
  }
  return [value, keep]
}

/** At first what the demo begins with, as long as nobody has sent it. Each proposal is an object of its own. */
export function useProposal(state: PageState | undefined) {
  const [proposed, propose] = useState<Proposal>()
  useEffect(() => propose(state?.proposal), [state === undefined])
  return { proposed, propose }
}

/** The tour's buttons: they make one somebody, somewhere, and type there. */
export function useTour(page: {
  readonly become: (user: string) => void
  readonly goTo: (place: string) => void
  /** Writes into the message box. */
  readonly propose: (proposal: Proposal | undefined) => void
  /** Before anything else: what lies over the page makes way. */
  readonly uncover: () => void
}) {
  const { become, goTo, propose, uncover } = page
  const [note, setNote] = useState<string>()
  return {
    /** What happened around the app with the last button. */
    note,
    hideNote: () => setNote(undefined),
    async run({ user, channel, service, missed, clock, lines }: TourAction): Promise<void> {
      uncover()
      setNote(undefined)
      become(user)
      goTo(channel)
      if (service !== undefined) await send({ kind: 'service', user, mode: service })
      if (missed !== undefined) setNote((await send({ kind: 'missed', user, count: missed })).note)
      if (clock !== undefined) await send({ kind: 'clock', user, channel, to: clock })
      if (lines.length > 0) propose({ channel, text: '' })
      for (const text of lines) await send({ kind: 'write', user, channel, text })
    },
    async startOver(): Promise<void> {
      const { proposal } = await startOver()
      setNote(undefined)
      become('')
      goTo('')
      propose(proposal)
      uncover()
    },
  }
}

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

/** Slack opens a link to one of its own messages in itself: calls `open` with the channel's id instead of leaving the page. */
export function usePermalinks(open: (channel: string) => void): void {
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const channel = /^https:\/\/[\w-]+\.slack\.com\/archives\/(\w+)\/p\d+/.exec(link?.href ?? '')?.[1]
      if (channel === undefined) return
      event.preventDefault()
      open(channel)
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [open])
}
