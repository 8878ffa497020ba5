/** Over HTTP, or in Socket Mode. */
export type Transport =
  /** Checks Slack's requests. */
  | { readonly signingSecret: string; readonly appToken?: undefined }
  | { readonly appToken: string; readonly signingSecret?: undefined }

/** One workspace, or any number of them. */
export type Tenancy =
  | { readonly botToken: string; readonly oauth?: undefined }
  | { readonly oauth: OAuthConfig; readonly botToken?: undefined }

export interface OAuthConfig {
  readonly clientId: string
  readonly clientSecret: string
  readonly stateSecret: string
  /** The app's own address, without a slash at its end. */
  readonly publicUrl: string
}

type Given = Readonly<Record<string, string | undefined>>

const oauthNames = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET', 'PUBLIC_URL'] as const
const oauthWords: Readonly<Record<(typeof oauthNames)[number], string>> = {
  SLACK_CLIENT_ID: "the app's Client ID (Basic Information)",
  SLACK_CLIENT_SECRET: "the app's Client Secret (Basic Information)",
  SLACK_STATE_SECRET: 'a random text of 16 characters at least',
  PUBLIC_URL: "the app's own https address, which Slack sends people back to",
}

/** What one variable asks of another. */
export function missing(given: Given): string[] {
  const problems: string[] = []
  const usesOAuth = oauthNames.some((name) => name !== 'PUBLIC_URL' && given[name] !== undefined)
  if (given['SLACK_APP_TOKEN'] === undefined && given['SLACK_SIGNING_SECRET'] === undefined) {
    problems.push("SLACK_SIGNING_SECRET: the app's Signing Secret (Basic Information)")
  }
  if (given['SLACK_BOT_TOKEN'] === undefined && !usesOAuth) {
    problems.push(
      "SLACK_BOT_TOKEN: the app's Bot User OAuth Token, xoxb-… (OAuth & Permissions); or, for many workspaces, SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_STATE_SECRET and PUBLIC_URL",
    )
  }
  if (given['SLACK_BOT_TOKEN'] !== undefined && usesOAuth) {
    problems.push('SLACK_BOT_TOKEN: not together with SLACK_CLIENT_ID, which is for many workspaces')
  }
  if (!usesOAuth) return problems
  const unset = oauthNames.filter((name) => given[name] === undefined)
  return [...problems, ...unset.map((name) => `${name}: ${oauthWords[name]}`)]
}

/** The variables of which one or the other has to be there, parsed. */
interface Env {
  readonly SLACK_SIGNING_SECRET?: string | undefined
  readonly SLACK_APP_TOKEN?: string | undefined
  readonly SLACK_BOT_TOKEN?: string | undefined
  readonly SLACK_CLIENT_ID?: string | undefined
  readonly SLACK_CLIENT_SECRET?: string | undefined
  readonly SLACK_STATE_SECRET?: string | undefined
  readonly PUBLIC_URL?: string | undefined
}

/** `missing` has named whatever is not there. */
export function transportOf({ SLACK_APP_TOKEN, SLACK_SIGNING_SECRET }: Env): Transport {
  if (SLACK_APP_TOKEN !== undefined) return { appToken: SLACK_APP_TOKEN, signingSecret: undefined }
  if (SLACK_SIGNING_SECRET !== undefined) return { signingSecret: SLACK_SIGNING_SECRET, appToken: undefined }
  throw new RangeError('neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET')
}

export function tenancyOf(env: Env): Tenancy {
  const { SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_STATE_SECRET, PUBLIC_URL } = env
  if (env.SLACK_BOT_TOKEN !== undefined) return { botToken: env.SLACK_BOT_TOKEN, oauth: undefined }
  if (!SLACK_CLIENT_ID || !SLACK_CLIENT_SECRET || !SLACK_STATE_SECRET || !PUBLIC_URL) {
    throw new RangeError('neither SLACK_BOT_TOKEN nor all of OAuth')
  }
  return {
    botToken: undefined,
    oauth: {
      clientId: SLACK_CLIENT_ID,
      clientSecret: SLACK_CLIENT_SECRET,
      stateSecret: SLACK_STATE_SECRET,
      publicUrl: PUBLIC_URL.replace(/\/+$/, ''),
    },
  }
}
