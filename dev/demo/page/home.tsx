import { useEffect } from 'preact/hooks'
import type { PageState, ShownView } from '../api-types.ts'
import { send } from './api.ts'
import { Blocks } from './blocks/blocks.tsx'
import { Problem } from './problem.tsx'
import { useActions } from './use-actions.ts'

function Tab({
  home,
  state,
  user,
}: {
  readonly home: ShownView
  readonly state: PageState
  readonly user: string
}) {
  const { busy, problem, act, suggest } = useActions(user, { view: home.id })
  return (
    <>
      <Problem text={problem} />
      <Blocks
        blocks={home.blocks}
        surface="home"
        directory={state}
        busy={busy}
        onAction={(action) => void act(action)}
        suggest={suggest}
      />
    </>
  )
}

export function Home({ state, user }: { readonly state: PageState; readonly user: string }) {
  // Slack tells the app each time that somebody opens its home tab.
  useEffect(() => void send({ kind: 'home', user }), [user])
  return (
    <div class="timeline home">
      {state.home ? (
        <Tab home={state.home} state={state} user={user} />
      ) : (
        <p class="quiet">Callboard shows its home tab once it is installed.</p>
      )}
    </div>
  )
}
