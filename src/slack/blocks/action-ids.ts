/**
 * Every action id that a button, menu or select of this app has. One that ends in a dot is what several begin with. They
 * stand in messages that people have kept: a new name would make their buttons useless.
 */
export const ACTIONS = {
  command: 'command.',
  callsPage: 'calls.page.',
  callsDirection: 'calls.direction',
  callsRetry: 'calls.retry',
  callsMore: 'calls.more',
  callsShare: 'calls.share',
  callsFilter: 'calls.filter',
  callsFind: 'calls.find',
  callsShow: 'calls.show.',
  callsOfAgent: 'calls.of-agent',
  callsNumberPage: 'calls.number.page.',
  callsNumberShow: 'calls.number.show.',
  callsAgent: 'calls.agent',
  callsExport: 'calls.export.',
  callsExportAgain: 'calls.export-again',
  callsExportCancel: 'calls.export-cancel',
  agentsPage: 'agents.page.',
  agentsRetry: 'agents.retry',
  agentsMore: 'agents.more',
  agentsRow: 'agents.row',
  agentsShare: 'agents.share',
  agentsDetails: 'agents.details',
  agentsReveal: 'agents.reveal',
  shareRemove: 'share.remove',
  shareCancel: 'share.cancel',
  billingRefresh: 'billing.refresh',
  settings: 'billing.settings',
  settingsWho: 'billing.settings.who.',
  auditPage: 'billing.audit.page.',
  auditExport: 'billing.audit.export',
  postChannel: 'billing.post.channel',
  postView: 'billing.post.view',
  postInclude: 'billing.post.include',
  postSend: 'billing.post.send',
  postCancel: 'billing.post.cancel',
  schedulesPage: 'billing.schedules.page.',
  scheduleChannel: 'billing.schedule.channel.',
  scheduleNew: 'billing.schedule.new',
  scheduleEdit: 'billing.schedule.edit',
  schedulePause: 'billing.schedule.pause',
  scheduleResume: 'billing.schedule.resume',
  scheduleDelete: 'billing.schedule.delete',
  connect: 'setup.connect',
  connection: 'setup.connection',
  disconnect: 'setup.disconnect',
  zone: 'setup.zone',
  zoneUndo: 'setup.zone.undo',
  forget: 'lifecycle.forget',
} as const

/** The callback id of every view that is submitted, and of those that are only read. */
export const VIEWS = {
  callsFilter: 'calls.filter',
  callsNumber: 'calls.number',
  agentDetails: 'agents.details',
  invoices: 'billing.invoices',
  invoiceCustomer: 'billing.invoices.customer',
  settings: 'billing.settings',
  billingPost: 'billing.post',
  schedule: 'billing.schedule',
  connect: 'setup.connect',
  notice: 'notice',
} as const

/** Whether an action id is the one of a route, or begins as the route's does where that ends in a dot. */
export const matchesAction = (pattern: string, actionId: string): boolean =>
  pattern.endsWith('.') ? actionId.startsWith(pattern) : actionId === pattern
