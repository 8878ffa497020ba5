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

type Environment = Readonly<Record<string, string | undefined>>

const oauthVariables = {
  SLACK_CLIENT_ID: "the app's Client ID (Basic Information)",
  SLACK_CLIENT_SECRET: "the app's Client Secret (Basic Information)",
  SLACK_STATE_SECRET: 'a random text of 16 characters at least',
  PUBLIC_URL: "the app's own https address, which Slack sends people back to",
}

/** @param problems gets a line for each variable that is missing or does not go with another */
export function readTransport(env: Environment, problems: string[]): Transport | undefined {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = env
  if (appToken !== undefined) return { appToken, signingSecret: undefined }
  if (signingSecret !== undefined) return { signingSecret, appToken: undefined }
  problems.push("SLACK_SIGNING_SECRET: the app's Signing Secret (Basic Information)")
  return undefined
}

/** @param problems as above */
export function readTenancy(env: Environment, problems: string[]): Tenancy | undefined {
  const { SLACK_BOT_TOKEN: botToken, SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = env
  const { SLACK_STATE_SECRET: stateSecret, PUBLIC_URL: publicUrl } = env
  if (!clientId && !clientSecret && !stateSecret) {
    if (botToken) return { botToken, oauth: undefined }
    problems.push(
      "SLACK_BOT_TOKEN: the app's Bot User OAuth Token, xoxb-… (OAuth & Permissions); or, for many workspaces, SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_STATE_SECRET and PUBLIC_URL",
    )
    return undefined
  }
  if (botToken) {
    problems.push('SLACK_BOT_TOKEN: not together with SLACK_CLIENT_ID, which is for many workspaces')
  }
  for (const [name, words] of Object.entries(oauthVariables))
    if (!env[name]) problems.push(`${name}: ${words}`)
  if (!clientId || !clientSecret || !stateSecret || !publicUrl) return undefined
  const oauth = { clientId, clientSecret, stateSecret, publicUrl: publicUrl.replace(/\/+$/, '') }
  return { oauth, botToken: undefined }
}
