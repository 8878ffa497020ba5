import type { PageState } from '../api-types.ts'
import { CopyIcon } from './icons.tsx'

export interface TourProps {
  readonly state: PageState
  readonly onPropose: (text: string) => void
}

const steps: readonly { readonly before: string; readonly command: string; readonly after: string }[] = [
  {
    before: 'As Ada, an admin, connect the account:',
    command: '/calls connect',
    after: 'Its key and secret are below. Try a wrong secret first.',
  },
  { before: 'Look up calls:', command: '/calls', after: 'Then page with Next and Last, or use Filter…' },
  { before: 'Ask for less:', command: '/calls missed last week', after: 'Or /calls help for all the words.' },
  {
    before: 'See the agents, and as Ada one SIP password:',
    command: '/agents',
    after: 'Details in the menu beside one, then Show SIP password. Traffic shows where it went.',
  },
  {
    before: 'See what is paid, and post it to a channel:',
    command: '/billing',
    after: 'Then /billing post #finance, /billing schedule, /billing settings, /billing audit.',
  },
  {
    before: "Change the channel's zone, and the times with it:",
    command: '/calls timezone Asia/Tokyo',
    after: 'Then be Gus, a guest, and see what he may.',
  },
]

export function Tour({ state, onPropose }: TourProps) {
  return (
    <section class="panel" aria-labelledby="tour-title">
      <h2 id="tour-title">What to try</h2>
      <p>This is a demo: a local Slack with the real app, on this machine alone. All data is invented.</p>
      <ol class="steps">
        {steps.map(({ before, command, after }) => (
          <li key={command}>
            {before}
            <button type="button" class="chip" onClick={() => onPropose(command)}>
              {command}
            </button>
            <small>{after}</small>
          </li>
        ))}
        <li>
          See what the app shows on its own tab: choose Callboard under Apps.
          <small>Home has the connection, schedules and who did what, for admins.</small>
        </li>
        <li>
          <a href={state.installUrl}>Install Callboard</a> in a second workspace.
          <small>The menu at the top left goes over to it; its account, zones and people are its own.</small>
        </li>
      </ol>
      <p>
        <a href="/gallery">Everything that Callboard can show</a>, on one page.
      </p>
      <h3>Accounts</h3>
      <dl class="accounts">
        {state.accounts.map(({ name, key, secret }) => (
          <div key={key}>
            <dt>{name}</dt>
            {[
              ['key', key],
              ['secret', secret],
            ].map(([what, text = '']) => (
              <dd key={what}>
                {what} <code>{text}</code>
                <button
                  type="button"
                  class="icon-button"
                  aria-label={`Copy the ${what} of ${name}`}
                  onClick={() => void navigator.clipboard.writeText(text)}
                >
                  <CopyIcon />
                </button>
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  )
}
