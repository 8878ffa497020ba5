import type { Consent } from '../../dev/slack/oauth.ts'
import type { Slack } from '../../dev/slack/slack.ts'
import type { Overrides } from './app.ts'

export const publicUrl = 'https://calls.example.com'

/** For a house that any workspace can install the app from. */
export const withOAuth: Overrides = (slack: Slack) => ({
  slack: {
    signingSecret: slack.signingSecret,
    apiUrl: slack.apiUrl,
    oauth: {
      clientId: slack.oauth.clientId,
      clientSecret: slack.oauth.clientSecret,
      stateSecret: 'a state secret for tests',
      publicUrl,
    },
  },
})

export interface Shown {
  readonly status: number
  readonly text: string
  readonly cookie: string
}

async function get(url: string, cookie = ''): Promise<Shown> {
  const response = await fetch(url, { headers: { cookie }, redirect: 'manual' })
  return {
    status: response.status,
    text: await response.text(),
    cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
  }
}

/** What a person's browser does: the install page, Slack's consent page, and back. */
export interface Browsing {
  start(): Promise<{ readonly page: Shown; readonly authorizeUrl: string }>
  /** @param back where Slack's page sent the browser */
  return(back: string, cookie: string): Promise<Shown>
  install(consent: Consent): Promise<Shown>
}

export function browse(slack: Slack, appUrl: string): Browsing {
  const browsing: Browsing = {
    async start() {
      const page = await get(`${appUrl}/slack/install`)
      const authorizeUrl = (/href="([^"]+)"/.exec(page.text)?.[1] ?? '').replaceAll('&amp;', '&')
      return { page, authorizeUrl }
    },
    return: (back, cookie) => get(back.replace(publicUrl, appUrl), cookie),
    async install(consent) {
      const { page, authorizeUrl } = await browsing.start()
      return browsing.return(slack.oauth.consent(authorizeUrl, consent), page.cookie)
    },
  }
  return browsing
}
