/** The files of a whole LinkedIn data export, by their paths in its archive. */
export const linkedInExport = {
  'Basic_Export/Profile.csv':
    '\ufeffFirst Name,Last Name,Maiden Name,Address,Birth Date,Headline,Summary,Industry,Zip Code,Geo Location,Twitter Handles,Websites,Instant Messengers\r\n' +
    'Ada,King,Byron,"12 St James Square, London","Dec 10, 1985",Principal Engineer,"I write programs.\r\n\r\nAnd notes on R&amp;D.",' +
    'Software Development,SW1Y,"London, England",[adaking],"[PORTFOLIO:https://ada.example/a,b,OTHER:github.com/ada]",[GTALK:ada]\r\n',
  'Basic_Export/Positions.csv':
    'Notes:\n"Positions that you hid\nare in here, too."\n\n' +
    'Title,Company Name,Started On,Finished On,Location,Description,Team\n' +
    'Principal Engineer,Analytical Engines,Mar 2021,,London,"Leads the engine group.\n• Cut run time by 40%\n- Wrote ""Note G""",Core\n' +
    'Engineer,Analytical Engines,2018,March 2021,London,• Built the mill. • Built the store.,\n' +
    'Clerk,"Babbage, Herschel & Co",2016-01,Jan 2018,,Kept the books.,\n',
  'Basic_Export/Projects.csv':
    'Title,Description,Url,Started On,Finished On\nBernoulli,First of its kind,https://github.com/ada/bernoulli,Jan 2020,\n',
  'Basic_Export/Skills.csv': 'Name\nAnalysis\nPunched cards\nAnalysis\n',
  'Basic_Export/Education.csv':
    'School Name,Start Date,End Date,Notes,Degree Name,Activities\nUniversity of London,2006,Jul 2010,Dean&#39;s list,BSc Mathematics,"Chess\nRowing"\n',
  'Basic_Export/Languages.csv': 'Name,Proficiency\nEnglish,Native or bilingual proficiency\nFrench,LIMITED_WORKING\n',
  'Basic_Export/Email Addresses.csv':
    'Email Address,Confirmed,Primary,Updated On\nold@ada.example,Yes,No,3/1/21\nada@ada.example,Yes,Yes,Not Available\n',
  'Basic_Export/PhoneNumbers.csv': 'Extension,Number,Type\n,+44 20 7946 0000,Mobile\n',
  'Basic_Export/Certifications.csv':
    'Name,Url,Authority,Started On,Finished On,License Number\nCKA,https://cncf.example/cka,CNCF,Jan 2023,Jan 2026,ABC-123\n',
  'Basic_Export/Publications.csv':
    'Name,Published On,Description,Publisher,Url\nNotes,"Aug 1, 2013",On the engine,Taylor,notes.example\n',
  'Basic_Export/Honors.csv': 'Title,Description,Issued On\nMedal,For notes,Dec 2022\n',
  'Basic_Export/Volunteering.csv':
    'Company Name,Role,Cause,Started On,Finished On,Description\nFlood Watch,Coordinator,DISASTER_RELIEF,Mar 2021,,Reads gauges. • Trained ten • Lent a boat\n',
  'Basic_Export/Causes You Care About.csv': 'Supported Cause\nSCIENCE_AND_TECHNOLOGY\n',
  'Basic_Export/Courses.csv': 'Name,Number\nFluid mechanics,FM-1\n',
  'Basic_Export/Organizations.csv':
    'Name,Position,Started On,Finished On,Description\nRoyal Society,Fellow,2019,,\nChoir,,2018,2019,Alto\n',
  'Basic_Export/Patents.csv':
    'Title,Description,Url,Patent Office,Number,Issued On\nFloat,For a gauge,https://patents.example/1,SE,SE 9,May 2020\n',
  'Basic_Export/TestScores.csv': 'Name,Description,Date,Score\nTOEFL,,Jan 2015,112\n',
  'Basic_Export/Connections.csv':
    'Notes:\n"Some of the addresses are missing."\n\nFirst Name,Last Name,URL,Email Address,Company,Position,Connected On\n' +
    'Charles,Babbage,https://www.linkedin.com/in/cb,,Mill,Inventor,01 Jan 2020\nMary,Somerville,https://www.linkedin.com/in/ms,,,,02 Jan 2020\n,,,,,,\n',
  'Basic_Export/messages.csv': '"CONVERSATION ID","CONTENT"\n1,"Hello,\nAda"\n',
  'Basic_Export/guide_messages.csv': 'CONVERSATION ID,CONTENT\n',
  'Basic_Export/Articles/Articles/one.html': '<html>',
  'Basic_Export/Articles/Articles/two.html': '<html>',
  'Basic_Export/me.jpg': 'JFIF',
  '__MACOSX/Basic_Export/._Profile.csv': 'Mac OS X',
};
