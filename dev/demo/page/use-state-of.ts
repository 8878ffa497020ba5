import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { State } from '../api-types.ts'
import { getState, onChange } from './api.ts'

/** What this person sees, kept up to date; of answers that overtake each other the one asked for last counts. */
export function useStateOf(user: string): State | undefined {
  const [state, setState] = useState<State>()
  const asked = useRef(0)
  const refresh = useCallback(async () => {
    asked.current += 1
    const mine = asked.current
    const next = await getState(user)
    if (mine === asked.current) setState(next)
  }, [user])
  useEffect(() => {
    // A change that can't be fetched is followed by another, when the stream is back.
    const hear = () => void refresh().catch(() => {})
    hear()
    return onChange(hear)
  }, [refresh])
  return state
}

/** A value that outlives a reload of this tab. */
export function useKept(name: string, initial: string): readonly [string, (value: string) => void] {
  const [value, setValue] = useState(() => sessionStorage.getItem(name) ?? initial)
  const keep = (next: string) => {
    sessionStorage.setItem(name, next)
    setValue(next)
  }
  return [value, keep]
}
