import type { RefObject } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ActionResult, Choice, PageState, SurfaceRef } from '../api-types.ts'
import { getState, onChange, send } from './api.ts'
import type { ElementAction } from './blocks/block-context.ts'
import { DIRECT, usePage } from './page-context.ts'

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
export function useSessionValue(name: string): readonly [string, (value: string) => void] {
  const [value, setValue] = useState(() => sessionStorage.getItem(name) ?? '')
  const keep = (next: string) => {
    sessionStorage.setItem(name, next)
    setValue(next)
  }
  return [value, keep]
}

/** How many of the app's direct messages this person has not seen: all until they are there, none while they are. */
export function useUnread(messages: PageState['messages'], user: string, place: string): number {
  const [, setSeen] = useState('')
  const direct = messages.filter(({ channel }) => channel === DIRECT)
  const newest = direct.at(-1)?.ts
  useLayoutEffect(() => {
    if (place !== DIRECT || newest === undefined) return
    sessionStorage.setItem(`read-${user}`, newest)
    setSeen(newest)
  }, [user, place, newest])
  const read = Number(sessionStorage.getItem(`read-${user}`) ?? 0)
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

/** Clicks and searches on one message or view, with what is under way and what went wrong. */
export function useActions(at: SurfaceRef) {
  const { user } = usePage().state
  /** `${block_id}/${action_id}`, or what was tracked as something else. */
  const [busy, setBusy] = useState<string>()
  const [problem, setProblem] = useState<string>()
  /** Settled once what was sent last has been answered. */
  const inFlight = useRef<Promise<unknown>>(Promise.resolve())

  /** One after the other: a form that is submitted right after a choice in it is sent once the choice has been answered. */
  function track(what: string, work: () => Promise<ActionResult>): Promise<ActionResult> {
    const sent = inFlight.current.then(async () => {
      setBusy(what)
      setProblem(undefined)
      try {
        const result = await work()
        setProblem(result.problem)
        return result
      } finally {
        setBusy(undefined)
      }
    })
    inFlight.current = sent.catch(() => {})
    return sent
  }

  return {
    busy,
    problem,
    setProblem,
    track,
    onAction: (action: ElementAction, values?: Readonly<Record<string, Choice>>) =>
      void track(`${action.blockId}/${action.actionId}`, () =>
        send({ kind: 'act', user, at, ...action, values }),
      ),
    async suggest(search: Pick<ElementAction, 'blockId' | 'actionId'> & { readonly value: string }) {
      return (await send({ kind: 'suggest', user, at, ...search })).options ?? []
    },
  }
}

/** What a button is called: those with an icon have no text. Empty where something else than a button has the focus. */
const nameOf = (button: Element | null) => button?.getAttribute('aria-label') ?? button?.textContent ?? ''

/**
 * What is replaced gets new buttons: the keyboard stays on the one of the same name, or on the whole, unless it has gone
 * elsewhere since. A modal that opened in between is not elsewhere: the focus comes back when it closes.
 * @param content what `root` shows: a new object wherever it may be replaced
 */
export function useKeptFocus(root: RefObject<HTMLElement | null>, content: unknown): void {
  /** Of the button that had the focus last; undefined where the focus went outside. */
  const name = useRef<string | undefined>(undefined)

  useEffect(() => {
    const follow = ({ target }: Event) => {
      if (!(target instanceof Element)) return
      if (root.current?.contains(target)) name.current = nameOf(target.closest('button'))
      else if (!target.closest('dialog')) name.current = undefined
    }
    document.addEventListener('focusin', follow)
    document.addEventListener('pointerdown', follow)
    return () => {
      document.removeEventListener('focusin', follow)
      document.removeEventListener('pointerdown', follow)
    }
  }, [root])

  useLayoutEffect(() => {
    if (name.current === undefined || document.activeElement !== document.body) return
    const buttons = [...(root.current?.querySelectorAll('button') ?? [])]
    const same = buttons.find((button) => nameOf(button) === name.current)
    ;(same ?? root.current)?.focus()
  }, [root, content])
}
