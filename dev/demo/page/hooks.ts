import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type {
  Action,
  ActionResult,
  Choice,
  GalleryState,
  PageState,
  SurfaceRef,
  TrafficEntry,
} from '../api-types.ts'
import type { ElementAction } from './blocks/field.ts'

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

const get = async <T>(path: string): Promise<T> => (await fetch(`/api/${path}`)).json()

async function post<T>(path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

const getState = (user: string) => get<PageState>(`state?user=${encodeURIComponent(user)}`)
export const getTraffic = () => get<readonly TrafficEntry[]>('traffic')
export const getGallery = () => get<GalleryState>('gallery')
export const send = (action: Action) => post<ActionResult>('act', action)
/** Restarts the demo. @returns the initial text of the message box */
export async function startOver() {
  await post<object>('start-over', {})
  return (await getState('')).proposal
}

/** Calls `listener` at every change, until the function that it returns is called. The browser connects again by itself. */
function onChange(listener: () => void): () => void {
  const source = new EventSource('/api/changes')
  source.addEventListener('message', listener)
  return () => source.close()
}

/** Keeps a person's state up to date; ignores responses that were overtaken. */
export function usePersonState(user: string): PageState | undefined {
  const [state, setState] = useState<PageState>()
  const requests = useRef(0)
  const refresh = useCallback(async () => {
    requests.current += 1
    const mine = requests.current
    const next = await getState(user)
    if (mine === requests.current) setState(next)
  }, [user])
  useEffect(() => {
    // After an error, the reconnected stream sends another change.
    const listener = () => void refresh().catch(() => {})
    listener()
    return onChange(listener)
  }, [refresh])
  return state
}

/** Keeps a value across reloads of the tab. */
export function useSessionValue(name: string): readonly [string, (value: string) => void] {
  const [value, setValue] = useState(() => sessionStorage.getItem(name) ?? '')
  const keep = (next: string) => {
    sessionStorage.setItem(name, next)
    setValue(next)
  }
  return [value, keep]
}

/** Counts the app's direct messages that the person hasn't seen. */
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

/** Opens links to messages in the page, as Slack does: calls `open` with the channel's id. */
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

/** Sends clicks and searches on a message or view, and tracks their progress and errors. */
export function useActions(at: SurfaceRef) {
  const { user } = usePage().state
  /** `${block_id}/${action_id}` or another name of the tracked work. */
  const [busy, setBusy] = useState<string>()
  const [problem, setProblem] = useState<string>()
  /** Settles with the answer to the last request. */
  const inFlight = useRef<Promise<unknown>>(Promise.resolve())

  /** Sends one request at a time, so that a form is submitted after the answer to a choice in it. */
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
