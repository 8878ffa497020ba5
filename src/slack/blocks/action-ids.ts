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
  reportSchedule: 'calls.schedule',
  reportSchedulePreview: 'calls.schedule.preview',
  connect: 'setup.connect',
  reportFilter: 'report.filter',
  reportPost: 'report.post',
  lines: 'calls.lines',
  alert: 'calls.alert',
  notice: 'notice',
} as const
