import { useState } from 'preact/hooks'
import type { Acted, At, Choice, Option } from '../api-types.ts'
import { send } from './api.ts'

/** Clicks and searches on one message or view, with what is under way and what went wrong. */
export function useActing(user: string, at: At) {
  /** `${block_id}/${action_id}`, or `submit`. */
  const [busy, setBusy] = useState<string>()
  const [problem, setProblem] = useState<string>()

  async function during<T extends Acted>(what: string, work: () => Promise<T>): Promise<T> {
    setBusy(what)
    setProblem(undefined)
    try {
      const acted = await work()
      setProblem(acted.problem)
      return acted
    } finally {
      setBusy(undefined)
    }
  }

  return {
    busy,
    problem,
    setProblem,
    during,
    act: (
      { blockId, actionId, choose }: { blockId: string; actionId: string; choose?: Choice },
      values?: Readonly<Record<string, Choice>>,
    ) =>
      during(`${blockId}/${actionId}`, () =>
        send({ kind: 'act', user, at, blockId, actionId, choose, values }),
      ),
    async suggest(place: { blockId: string; actionId: string; value: string }): Promise<readonly Option[]> {
      const { options } = await send({ kind: 'suggest', user, at, ...place })
      return options ?? []
    },
  }
}
