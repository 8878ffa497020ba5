import { expect } from 'vitest'
import type { Consent } from '../../dev/slack/api/oauth.ts'
import type { Actor, Slack, Team } from '../../dev/slack/slack.ts'
import type { AppOptions, TestApp } from './app.ts'

const publicUrl = 'https://calls.example.com'

export const supportUrl = 'https://help.example.com/callboard?about=app&from=slack'

/** Environment of an app that any workspace can install. */
export const withOAuth = {
  config: ({ signingSecret, apiUrl, oauth: { clientId, clientSecret } }: Slack) => ({
    supportUrl,
    slack: {
      signingSecret,
      apiUrl,
      oauth: { clientId, clientSecret, stateSecret: 'a state secret for tests', publicUrl, supportUrl },
    },
  }),
} satisfies AppOptions

interface Page {
  readonly status: number
  readonly text: string
  readonly location: string
  readonly cookie: string
}

async function get(url: string, cookie = ''): Promise<Page> {
  const response = await fetch(url, { headers: { cookie }, redirect: 'manual' })
  return {
    status: response.status,
    text: await response.text(),
    location: response.headers.get('location') ?? '',
    cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
  }
}

/** A person's browser: opens `/slack/install`, Slack's consent page, and the redirect URL. */
export class Browser {
  readonly #slack: Slack

  constructor(slack: Slack) {
    this.#slack = slack
  }

  async start(): Promise<{ readonly page: Page; readonly authorizeUrl: string }> {
    const page = await get(`${this.#slack.appUrl}/slack/install`)
    return { page, authorizeUrl: page.location }
  }

  /** @param back URL that Slack's page redirects to */
  return(back: string, cookie: string): Promise<Page> {
    return get(back.replace(publicUrl, this.#slack.appUrl), cookie)
  }

  async install(consent: Consent): Promise<Page> {
    const { page, authorizeUrl } = await this.start()
    return this.return(this.#slack.oauth.consent(authorizeUrl, consent), page.cookie)
  }
}

/** Fields of a workspace in an organization. */
export const organization = { enterpriseId: 'E0ORG', enterpriseName: 'Org' }

/** Creates a workspace in which its admin has installed the app. @param enterprise fields of a team in an organization */
export async function installTeam(
  slack: Slack,
  { isOrganization = false, enterprise = {} } = {},
): Promise<{ team: Team; admin: Actor }> {
  const { team, people } = slack.addTeam(enterprise)
  const done = await new Browser(slack).install({ team, user: people.admin, isOrganization })
  expect(done.text).toContain('is installed')
  return { team, admin: slack.as(people.admin) }
}

/** Uninstalls the app, in a later second than that of its installation. */
export async function uninstall(app: TestApp, team: Team): Promise<void> {
  const event_time = Math.floor(Date.now() / 1000) + 5
  await app.slack.event(app.url, { type: 'app_uninstalled' }, { team, fields: { event_time } })
  await app.logged('"action":"forget"')
}
