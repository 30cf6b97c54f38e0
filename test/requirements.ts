/**
 * Every sentence of the service specification that can be checked, under an id. Tests cite ids in their titles, in
 * brackets; test/requirements.test.ts fails on an id that no test cites and on a citation that names no id.
 */
export const requirements: Record<string, string> = {
  // What the service does
  'SERVICE-1': "Publishes one candidate's professional profile as JSON.",
  'SERVICE-2': 'Every endpoint except POST /auth/token requires bearer-token authentication.',
  'SERVICE-3': 'The MCP server exposes the same data as resources and as tools; each maps to one REST endpoint.',

  // Resources and their fields
  'DATE-1': 'Dates are strings in YYYY-MM-DD format; null means the value is absent or the item is current.',
  'CANDIDATE-1':
    'Candidate: id, name, title, location, summary (strings), years_experience (number), domains (array of string).',
  'EXPERIENCE-1':
    'Experience entry: id, company, company_start_date, company_end_date (date or null), current, summary, roles.',
  'EXPERIENCE-2': 'The id of an entry is usable as {id} in GET /experience/{id}.',
  'EXPERIENCE-3': 'company_end_date is null when the entry is current.',
  'ROLE-1':
    'Role: title, start_date, accomplishments required; end_date a date or null, null when the role is current.',
  'PROJECT-1': 'Project summary: id, name, summary.',
  'PROJECT-2': 'The id of a project is usable as {id} in GET /projects/{id}.',
  'AVAILABILITY-1': 'Availability: status, a free string.',
  'RESUME-1': 'Resume, structured form: name, title, experience, skills, all required.',
  'RESUME-2':
    'Resume experience entry: company, company_start_date, company_end_date, current, roles; it has no id and no summary.',
  'RESUME-3': 'Resume, PDF form: url, an absolute URL of a downloadable PDF of the resume.',
  'TOKEN-1': 'Token request: email, required, validated before a token is issued.',
  'TOKEN-2': 'Token response: access_token, a signed bearer token, and token_type, the value Bearer.',
  'CONTACT-1': 'Contact request: name, email, company, message, all strings.',
  'CONTACT-2': 'Contact response: id, identifier of the created contact request, and status, received.',
  'ERROR-1': 'Error object: error.code, machine-readable, and error.message, human-readable.',

  // States and transitions
  'STATE-1': 'An entry or role is current (current = true, end date null) or past (current = false, end date set).',

  // Endpoints
  'REST-1': 'Request and response bodies are application/json.',
  'REST-2': 'The success status of GET /resume is 200.',
  'REST-3': 'POST /auth/token sends an auth-request e-mail notification and returns a signed bearer token.',
  'REST-4': 'GET /experience?current=true restricts the result to current entries.',
  'REST-5': 'GET /experience?current=false restricts the result to past entries.',
  'REST-6': 'GET /experience without current returns all entries.',
  'REST-7': 'GET /experience/{id} returns 404 with code NOT_FOUND when no entry has that id.',
  'REST-8': 'GET /resume without format behaves as format=json.',
  'REST-9': 'Availability is at /contact/availability; MCP refers to it as GET /availability.',
  'REST-10': 'GET /candidate answers the Candidate object.',
  'REST-11': 'GET /projects answers an array of Project summary; GET /projects/{id} one project.',
  'REST-12': 'POST /contact takes {name, email, company, message} and answers {id, status}.',

  // MCP resources
  'MCP-1': 'All resources are under candidate-profile://profile and have MIME type application/json.',
  'MCP-2': 'A resource read returns exactly one contents entry: uri, mimeType, text.',
  'MCP-3': 'text holds a pretty-printed JSON string of the data.',
  'MCP-4':
    'The resources are candidate, experience, projects, availability, resume/json and resume/pdf, with their titles.',
  'MCP-5': 'The content of each resource is that of its REST endpoint.',

  // MCP tools
  'MCP-6':
    'Every tool result has content, one item of type text holding pretty-printed JSON, and structuredContent.data.',
  'MCP-7': 'Read tools have readOnlyHint true and idempotentHint true.',
  'MCP-8': 'Mutation tools have readOnlyHint false and idempotentHint false.',
  'MCP-9': 'All tools have destructiveHint false and openWorldHint true.',
  'MCP-10':
    'The tools are get_candidate, list_experience, get_experience, list_projects, get_project, get_availability, get_resume, create_auth_token, create_contact.',
  'MCP-11': 'list_experience takes current (boolean, optional): true = current only, false = past only.',
  'MCP-12': 'get_experience and get_project take id; get_resume takes format (json or pdf, default json).',
  'MCP-13': 'The two mutation tools appear only when the deployment enables them.',
  'MCP-14': 'create_auth_token creates a bearer token and triggers the e-mail notification flow.',
  'MCP-15': 'create_contact takes name, email, company and message.',

  // Authentication
  'AUTH-1': 'The scheme is HTTP bearer; the token is a signed JWT.',
  'AUTH-2': 'POST /auth/token with {email} gives a token that opens every other request.',
  'AUTH-3': 'A protected endpoint answers 401 UNAUTHORIZED `A valid bearer token is required` without a token.',
  'AUTH-4': 'The same for a token that is invalid or altered.',

  // Events
  'EVENT-1': 'POST /auth/token and create_auth_token send an auth-request e-mail notification.',

  // Errors
  'ERROR-2': 'An error response body is {error: {code, message}}.',
  'ERROR-3': 'POST /auth/token without email: 400 BAD_REQUEST `email is required`.',
  'ERROR-4': 'POST /auth/token with an invalid address: 400 BAD_REQUEST `email must be a valid email address`.',
  'ERROR-5': 'An invalid request on GET /experience: 400 BAD_REQUEST.',
  'ERROR-6': 'An invalid request on GET /resume: 400 BAD_REQUEST.',
  'ERROR-7': 'An invalid request on POST /contact: 400 BAD_REQUEST.',
  'ERROR-8': '404 NOT_FOUND has the message `The requested resource could not be found.`',

  // Versioning
  'VERSION-1': 'The interface description carries the version label 1.0.0 and a single server at {base_url}.',
  'VERSION-2': 'Paths carry no version segment.',
};
