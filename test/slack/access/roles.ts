/** What somebody is told who may not. */
export const refusals = {
  member: 'Callboard is for full members of this workspace only',
  admin: 'Only admins and owners of this workspace can do that',
  calls: 'Calls are not shown to everyone in this workspace',
  agents: 'Agents are not shown to everyone in this workspace',
  billing: 'Billing is not shown to everyone in this workspace',
} as const

/** Whom each way into the app is for, said once more: a new route has to be named here, and a changed one is noticed. */
export const roles = {
  commands: {
    callboard: 'member',
    'callboard forget': 'admin',
    calls: 'calls',
    'calls help': 'member',
    'calls connect': 'admin',
    'calls disconnect': 'admin',
    'calls timezone': 'member',
    agents: 'agents',
    'agents help': 'member',
    billing: 'billing',
    'billing help': 'member',
    'billing post': 'billing',
    'billing schedule': 'billing',
    'billing schedules': 'billing',
    'billing invoices': 'admin',
    'billing settings': 'admin',
    'billing audit': 'admin',
  },
  actions: {
    'calls.page.': 'calls',
    'calls.direction': 'calls',
    'calls.retry': 'calls',
    'calls.more': 'calls',
    'calls.filter': 'calls',
    'calls.of-agent': 'calls',
    'agents.page.': 'agents',
    'agents.retry': 'agents',
    'agents.more': 'agents',
    'agents.details': 'agents',
    'agents.reveal': 'admin',
    'billing.refresh': 'billing',
    'billing.settings': 'admin',
    'billing.post.include': 'billing',
    'billing.post.send': 'billing',
    'billing.post.cancel': 'member',
    'billing.schedules.page.': 'billing',
    'billing.schedule.new': 'billing',
    'billing.schedule.edit': 'billing',
    'billing.schedule.pause': 'billing',
    'billing.schedule.resume': 'billing',
    'billing.schedule.delete': 'billing',
    'setup.connect': 'admin',
    'setup.disconnect': 'admin',
    'lifecycle.forget': 'admin',
  },
  submissions: {
    'calls.filter': 'calls',
    'billing.settings': 'admin',
    'billing.schedule': 'billing',
    'billing.invoices': 'admin',
    'setup.connect': 'admin',
  },
  options: { 'calls.agent': 'calls', 'setup.zone': 'member' },
} as const

/** Slack tells them of nobody, but for the home tab, which everybody has. */
export const events = ['app_home_opened', 'app_uninstalled', 'tokens_revoked', 'team_access_revoked']
