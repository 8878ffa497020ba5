export const botToken = 'xoxb-bench'
export const enterprise = 'E0BENCH'
export const teamId = (n: number) => `T${String(n).padStart(8, '0')}`

/** The methods that the app calls, by name. */
export const webApi: Readonly<Record<string, (form: URLSearchParams) => object>> = {
  'auth.test': () => ({
    ok: true,
    team_id: teamId(0),
    enterprise_id: enterprise,
    is_enterprise_install: true,
    user_id: 'UBOT',
    bot_id: 'B1',
  }),
  'users.info': (form) => {
    const id = form.get('user') ?? ''
    return { ok: true, user: { id, team_id: `T${id.slice(1)}`, tz: 'Europe/Berlin' } }
  },
}
