import { useEffect, useState } from 'preact/hooks'
import type { PageState, Proposal } from '../api-types.ts'

/** At first what the demo begins with, as long as nobody has sent it. Each proposal is an object of its own. */
export function useProposal(state: PageState | undefined) {
  const [proposed, propose] = useState<Proposal>()
  useEffect(() => propose(state?.proposal), [state === undefined])
  return { proposed, propose }
}
