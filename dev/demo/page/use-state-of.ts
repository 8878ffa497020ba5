import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { PageState } from '../api-types.ts'
import { getState, onChange } from './api.ts'

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
