/** The callback id of every view that is submitted, and of those that are only read. */
export const VIEWS = {
  callsFilter: 'calls.filter',
  callsNumber: 'calls.number',
  agentDetails: 'agents.details',
  invoices: 'billing.invoices',
  invoiceCustomer: 'billing.invoices.customer',
  settings: 'billing.settings',
  billingPost: 'billing.post',
  connect: 'setup.connect',
  reportFilter: 'report.filter',
  reportPost: 'report.post',
  lines: 'calls.lines',
  notice: 'notice',
} as const
