import { useRef, useState } from 'preact/hooks'
import type { ActionResult, Choice, Option, SurfaceRef } from '../api-types.ts'
import { send } from './api.ts'

/** Clicks and searches on one message or view, with what is under way and what went wrong. */
export function useActions(user: string, at: SurfaceRef) {
  /** `${block_id}/${action_id}`, or `submit`. */
  const [busy, setBusy] = useState<string>()
  const [problem, setProblem] = useState<string>()
  /** Settled once what was sent last has been answered. */
  const inFlight = useRef<Promise<unknown>>(Promise.resolve())

  /** One after the other: a form that is submitted right after a choice in it is sent once the choice has been answered. */
  async function track<T extends ActionResult>(what: string, work: () => Promise<T>): Promise<T> {
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
    act: (
      { blockId, actionId, choose }: { blockId: string; actionId: string; choose?: Choice },
      values?: Readonly<Record<string, Choice>>,
    ) =>
      track(`${blockId}/${actionId}`, () =>
        send({ kind: 'act', user, at, blockId, actionId, choose, values }),
      ),
    async suggest(place: { blockId: string; actionId: string; value: string }): Promise<readonly Option[]> {
      const { options } = await send({ kind: 'suggest', user, at, ...place })
      return options ?? []
    },
  }
}
