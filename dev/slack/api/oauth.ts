import type { Directory, Team, User } from '../directory.ts'
import type { Json } from '../shapes.ts'

export interface Consent {
  readonly team: Team
  readonly user: User
  /** Whether the app is installed in the whole organization. */
  readonly isOrganization?: boolean
  readonly isDenied?: boolean
  /** Optional scopes that the person doesn't grant. */
  readonly leftOut?: readonly string[]
}

/** People who may install the app, by workspace, and the pages that Slack redirects to. */
export interface ConsentOffer {
  readonly choices: () => readonly (Consent & { readonly workspace: string; readonly person: string })[]
  /** Returns the address of the stand-in's page, or of the app's messages in a workspace. */
  readonly home: (teamId?: string) => string
}

interface Grant extends Consent {
  readonly redirectUri: string | null
  readonly scopes: string
}

const LIFE_SECONDS = 12 * 60 * 60

/** Slack's consent page and `oauth.v2.access` (https://docs.slack.dev/authentication/installing-with-oauth). */
export class OAuth {
  readonly clientId = '100.200'
  readonly clientSecret = 'stand-in-client-secret'
  /** Whether tokens expire (https://docs.slack.dev/authentication/using-token-rotation). */
  isRotating = false
  readonly #grants = new Map<string, Grant>()
  #count = 0

  isOurs(args: Json): boolean {
    return args['client_id'] === this.clientId && args['client_secret'] === this.clientSecret
  }

  /** Returns the address to which Slack redirects the browser. @throws {Error} for an address that Slack would refuse */
  consent(authorizeUrl: string, consent: Consent): string {
    const { pathname, searchParams } = new URL(authorizeUrl)
    const parameter = (name: string) => searchParams.get(name)
    if (pathname !== '/oauth/v2/authorize') throw new Error("that is not Slack's consent page")
    if (parameter('client_id') !== this.clientId) throw new Error('invalid_client_id')
    const redirectUri = parameter('redirect_uri')
    const back = new URL(redirectUri ?? 'https://invalid.example')
    const state = parameter('state')
    if (state !== null) back.searchParams.set('state', state)
    if (consent.isDenied) {
      back.searchParams.set('error', 'access_denied')
      return back.href
    }
    const code = `code-${++this.#count}`
    const asked = parameter('scope')?.split(',') ?? []
    const scopes = asked.filter((scope) => !consent.leftOut?.includes(scope))
    this.#grants.set(code, { ...consent, redirectUri, scopes: scopes.join(',') })
    back.searchParams.set('code', code)
    return back.href
  }

  access(args: Json, directory: Directory): Json {
    if (!this.isOurs(args)) return { ok: false, error: 'bad_client_secret' }
    const code = String(args['code'])
    const grant = this.#grants.get(code)
    this.#grants.delete(code)
    if (!grant) return { ok: false, error: 'invalid_code' }
    if (grant.redirectUri !== (args['redirect_uri'] ?? null)) return { ok: false, error: 'bad_redirect_uri' }
    const { team, user, isOrganization = false } = grant
    const token = this.#newToken(team, isOrganization, directory)
    return {
      ok: true,
      ...token,
      token_type: 'bot',
      scope: grant.scopes,
      bot_user_id: team.botUserId,
      app_id: team.appId,
      team: isOrganization ? null : { id: team.teamId, name: team.name ?? team.domain },
      enterprise:
        team.enterpriseId === undefined ? null : { id: team.enterpriseId, name: team.enterpriseName ?? '' },
      authed_user: { id: user.id },
      is_enterprise_install: isOrganization,
    }
  }

  uninstall(team: Team): void {
    team.botToken = `revoked-${team.botToken}`
    team.isInstalled = false
  }

  #newToken(team: Team, isOrganization: boolean, directory: Directory): Json {
    const token = `xoxb-${++this.#count}-installed`
    const teams = isOrganization
      ? directory.teams.filter(({ enterpriseId }) => enterpriseId === team.enterpriseId)
      : [team]
    for (const one of teams) {
      one.botToken = token
      one.isEnterpriseInstall = isOrganization
      one.isInstalled = true
    }
    if (!this.isRotating) return { access_token: token }
    return { access_token: token, refresh_token: `xoxe-1-${++this.#count}`, expires_in: LIFE_SECONDS }
  }
}
