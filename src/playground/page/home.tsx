import { useState } from 'preact/hooks'
import type { Choice, State } from '../api-types.ts'
import { send } from './api.ts'
import { Blocks } from './blocks/blocks.tsx'

export function Home({ state, user }: { readonly state: State; readonly user: string }) {
  const [busy, setBusy] = useState<string>()
  const { home } = state
  if (!home) {
    return (
      <div class="timeline">
        <p class="quiet">Callboard shows nothing on its home tab. Choose a channel and type /calls.</p>
      </div>
    )
  }
  async function act(blockId: string, actionId: string, choose: Choice | undefined) {
    if (!home) return
    setBusy(`${blockId}/${actionId}`)
    try {
      await send({ kind: 'act', user, at: { view: home.id }, blockId, actionId, choose })
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <div class="timeline home">
      <Blocks
        blocks={home.blocks}
        surface="home"
        directory={state}
        busy={busy}
        onAction={({ blockId, actionId, choose }) => void act(blockId, actionId, choose)}
        suggest={async ({ blockId, actionId, value }) =>
          (await send({ kind: 'suggest', user, at: { view: home.id }, blockId, actionId, value })).options ??
          []
        }
      />
    </div>
  )
}
