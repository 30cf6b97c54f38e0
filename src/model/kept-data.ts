/** What is kept of visitors. Each table that holds some of it names the kind, and each kind has a line on `/privacy`. */
export type KeptData = 'tokens' | 'grants' | 'reads' | 'messages' | 'notes' | 'mail' | 'codes';
